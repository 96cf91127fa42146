import numpy as np


def miss_forward(velocity, start, target, dt, steps):
    """The squared distance from `target` after `steps` leapfrog steps around a body at the origin."""
    p = start.copy()
    v = velocity.copy()
    t_saved = []
    t_saved_2 = []
    t_saved_3 = []
    t_saved_4 = []
    r2_saved = []
    p_saved = []
    t_saved_5 = []
    for _ in range(steps):
        t = 0.5 * dt
        t_saved_5.append(t)
        p = p + t * v
        p_saved.append(p)
        r2 = p @ p
        r2_saved.append(r2)
        t_10 = dt * p
        t_11 = np.sqrt(r2)
        t_saved_4.append(t_11)
        t_12 = r2 * t_11
        t_saved_2.append(t_12)
        t_13 = t_10 / t_12
        t_saved_3.append(t_13)
        v -= t_13
        t_14 = 0.5 * dt
        t_saved.append(t_14)
        p = p + t_14 * v
    d = p - target
    return (d @ d, (d, t_saved, t_saved_2, t_saved_3, t_saved_4, r2_saved, dt, p_saved, t_saved_5,
                    steps))


def miss_pullback(residuals, y_bar):
    d, t_saved, t_saved_2, t_saved_3, t_saved_4, r2_saved, dt, p_saved, t_saved_5, steps = residuals
    t_saved = t_saved.copy()
    t_saved_2 = t_saved_2.copy()
    t_saved_3 = t_saved_3.copy()
    t_saved_4 = t_saved_4.copy()
    r2_saved = r2_saved.copy()
    p_saved = p_saved.copy()
    t_saved_5 = t_saved_5.copy()
    p_bar = 2.0 * y_bar * d                 # 21: for _ in range(steps):
    v_bar = np.zeros(2)
    for _ in range(steps):
        t = t_saved_5.pop()
        p = p_saved.pop()
        r2 = r2_saved.pop()
        t_11 = t_saved_4.pop()
        t_12 = t_saved_2.pop()
        t_13 = t_saved_3.pop()
        v_bar += p_bar * t_saved.pop()      # 25: p += 0.5 * dt * v
        t_bar = -v_bar                      # 24: v -= dt * p / (r2 * np.sqrt(r2))
        t_bar_2 = t_bar / t_12
        t_bar_3 = np.sum(-t_bar * t_13 / t_12)
        r2_bar = t_bar_3 * t_11
        r2_bar += 0.5 * t_bar_3 * r2 / t_11
        p_bar = p_bar + t_bar_2 * dt
        p_bar += 2.0 * r2_bar * p           # 23: r2 = p @ p
        v_bar += p_bar * t                  # 22: p += 0.5 * dt * v
        p_bar = p_bar.copy()                # 21: for _ in range(steps):
    return v_bar
