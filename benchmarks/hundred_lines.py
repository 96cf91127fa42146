"""A function of a hundred lines, for measuring how long its derivative takes to make.

A column of lake water: temperature, plankton, nutrients and light, with branches for ice and for
mixing, loops over layers and days, and states updated in place.
"""

from __future__ import annotations

import numpy as np


def lake(temperature, plankton, weather, rates, days):
    temperature = temperature.copy()
    plankton = plankton.copy()
    n = len(temperature)
    nutrients = np.ones(n)
    dt = 0.1

    # what the weather and the rates mean
    air = weather[0] * 10.0
    wind = weather[1]
    sun = weather[2]
    growth = rates[0]
    death = rates[1]
    uptake = rates[2]
    sinking = rates[3]
    extinction = rates[4]
    shading = rates[5]
    exchange = rates[6]
    diffusion = rates[7]

    history = np.zeros((days, 4))
    loss = 0.0
    ice = 0.0
    for day in range(days):
        # light through the layers, each shaded by those above it
        light = np.empty(n)
        beam = sun * (1.0 + 0.5 * np.sin(0.1 * day))
        if ice > 0.0:
            beam = beam * np.exp(-2.0 * ice)
        for i in range(n):
            opacity = extinction + shading * plankton[i]
            light[i] = beam * np.exp(-0.5 * opacity)
            beam = beam * np.exp(-opacity)

        # heat: from the sun, from the air, between layers
        heating = 0.3 * light
        flux = exchange * wind * (air - temperature[0])
        temperature[0] += dt * flux
        for i in range(n):
            temperature[i] += dt * heating[i]
        temperature[1:-1] += diffusion * (
            temperature[2:] - 2.0 * temperature[1:-1] + temperature[:-2]
        )

        # ice grows below the freezing point and melts above it
        surface = temperature[0]
        if surface < 0.0:
            ice = ice - dt * surface
            temperature[0] = 0.0
        elif ice > 0.0:
            melt = min(ice, dt * surface)
            ice = ice - melt
            temperature[0] -= melt

        # plankton grows where there is light, warmth and food
        warmth = np.exp(-0.05 * (temperature - 12.0) ** 2)
        food = nutrients / (0.5 + nutrients)
        bright = np.tanh(2.0 * light)
        gain = growth * warmth * food * bright
        change = gain * plankton - death * plankton
        plankton += dt * change
        nutrients -= dt * uptake * gain
        nutrients += 0.5 * dt * death

        # it sinks from layer to layer, and the deepest is buried
        buried = 0.0
        for i in range(n - 1, -1, -1):
            moving = sinking * plankton[i] * dt
            plankton[i] -= moving
            if i + 1 < n:
                plankton[i + 1] += moving
            else:
                buried = buried + moving

        # a storm mixes the upper half
        half = n // 2
        if day % 3 == 1:
            mean_temperature = np.mean(temperature[:half])
            mean_plankton = np.mean(plankton[:half])
            share = wind / (1.0 + wind)
            temperature[:half] += share * (mean_temperature - temperature[:half])
            plankton[:half] += share * (mean_plankton - plankton[:half])

        # what is measured
        total = np.sum(plankton)
        spread = np.sum((temperature - np.mean(temperature)) ** 2)
        history[day, 0] = total
        history[day, 1] = np.sqrt(1.0 + spread)
        history[day, 2] = buried
        history[day, 3] = ice
        loss += 0.1 * buried + 0.01 * total**2

    final = history[days - 1]
    score = final[0] + 0.5 * final[1] + np.log(1.0 + final[2])
    loss += score + 0.1 * np.sum(history[:, 1] ** 2)
    loss += 0.5 * np.sum(nutrients * nutrients)
    return loss
