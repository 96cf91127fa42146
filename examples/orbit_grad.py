import numpy as np


def miss_forward(velocity, start, target, dt, steps):
    """The squared distance from `target` after `steps` leapfrog steps around the origin."""
    p = start.copy()
    v = velocity.copy()
    t_3_saved = []
    t_4_saved = []
    t_2_saved = []
    r2_saved = []
    p_saved = []
    for _ in range(steps):
        p = p + 0.5 * dt * v
        p_saved.append(p)
        r2 = p @ p
        r2_saved.append(r2)
        t = dt * p
        t_2 = np.sqrt(r2)
        t_2_saved.append(t_2)
        t_3 = r2 * t_2
        t_3_saved.append(t_3)
        t_4 = t / t_3
        t_4_saved.append(t_4)
        v -= t_4
        p = p + 0.5 * dt * v
    d = p - target
    return d @ d, (d, t_3_saved, t_4_saved, t_2_saved, r2_saved, dt, p_saved)


def miss_pullback(residuals, y_bar):
    d, t_3_saved, t_4_saved, t_2_saved, r2_saved, dt, p_saved = residuals
    p_bar = 2.0 * y_bar * d             # 21: for _ in range(steps):
    v_bar = np.zeros(2)
    for p, r2, t_2, t_3, t_4 in zip(reversed(p_saved), reversed(r2_saved), reversed(t_2_saved),
                                    reversed(t_3_saved), reversed(t_4_saved)):
        v_bar += p_bar * (0.5 * dt)     # 25: p += 0.5 * dt * v
        t_4_bar = -v_bar                # 24: v -= dt * p / (r2 * np.sqrt(r2))
        t_bar = t_4_bar / t_3
        t_3_bar = np.sum(-t_4_bar * t_4 / t_3)
        r2_bar = t_3_bar * t_2
        r2_bar += 0.5 * t_3_bar * r2 / t_2
        p_bar = p_bar + t_bar * dt
        p_bar += 2.0 * r2_bar * p       # 23: r2 = p @ p
        v_bar += p_bar * (0.5 * dt)     # 22: p += 0.5 * dt * v
        p_bar = p_bar.copy()            # 21: for _ in range(steps):
    return v_bar
