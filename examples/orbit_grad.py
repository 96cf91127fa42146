import numpy as np


def miss_forward(velocity, start, target, dt, steps):
    """The squared distance from `target` after `steps` leapfrog steps around the origin."""
    p = start.copy()
    v = velocity.copy()
    t_6_saved = []
    t_4_saved = []
    t_5_saved = []
    t_3_saved = []
    r2_saved = []
    p_saved = []
    t_saved = []
    for _ in range(steps):
        t = 0.5 * dt
        t_saved.append(t)
        p = p + t * v
        p_saved.append(p)
        r2 = p @ p
        r2_saved.append(r2)
        t_2 = dt * p
        t_3 = np.sqrt(r2)
        t_3_saved.append(t_3)
        t_4 = r2 * t_3
        t_4_saved.append(t_4)
        t_5 = t_2 / t_4
        t_5_saved.append(t_5)
        v -= t_5
        t_6 = 0.5 * dt
        t_6_saved.append(t_6)
        p = p + t_6 * v
    d = p - target
    return d @ d, (d, t_6_saved, t_4_saved, t_5_saved, t_3_saved, r2_saved, dt, p_saved, t_saved)


def miss_pullback(residuals, y_bar):
    d, t_6_saved, t_4_saved, t_5_saved, t_3_saved, r2_saved, dt, p_saved, t_saved = residuals
    p_bar = 2.0 * y_bar * d             # 21: for _ in range(steps):
    v_bar = np.zeros(2)
    for t, p, r2, t_3, t_4, t_5, t_6 in zip(reversed(t_saved), reversed(p_saved),
                                            reversed(r2_saved), reversed(t_3_saved),
                                            reversed(t_4_saved), reversed(t_5_saved),
                                            reversed(t_6_saved)):
        v_bar += p_bar * t_6            # 25: p += 0.5 * dt * v
        t_5_bar = -v_bar                # 24: v -= dt * p / (r2 * np.sqrt(r2))
        t_2_bar = t_5_bar / t_4
        t_4_bar = np.sum(-t_5_bar * t_5 / t_4)
        r2_bar = t_4_bar * t_3
        r2_bar += 0.5 * t_4_bar * r2 / t_3
        p_bar = p_bar + t_2_bar * dt
        p_bar += 2.0 * r2_bar * p       # 23: r2 = p @ p
        v_bar += p_bar * t              # 22: p += 0.5 * dt * v
        p_bar = p_bar.copy()            # 21: for _ in range(steps):
    return v_bar
