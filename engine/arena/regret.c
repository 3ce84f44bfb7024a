/* One pass over a round's merged histories, for engine.arena.solver. Compiled and called by it.
 *
 * Matrices are by the hand of the other player, then of the learner: a row that the other never plays to is skipped. */
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    int32_t states, hands[2];    /* hands of the learner and of the other */
    const int32_t *player;       /* 0 the learner, 1 the other; by state, parents first */
    const int32_t *actions;      /* the first action of each state, and the end */
    const int32_t *child;        /* by action: a state, or ~n for the n-th ending */
    const int64_t *shares;       /* by state: the place of its strategy, by action and hand */
    const int32_t *alike;        /* by state and the learner's hand: the first hand that it plays like */
    const float *endings;        /* worth of each ending to the learner */
    const float *odds;           /* of the other's hands, then of the learner's */
    float *strategy, *regrets, *recent, *sums;
    float *reach, *value, *own;  /* by state: joint reach of the other, worth, the learner's own reach */
    uint8_t *live;               /* by state and the other's hand: whether the other plays to it */
    float *scratch;              /* actions * the learner's hands, for the state with the most actions */
} Game;

static void forward(const Game *g, float explored)
{
    const int n = g->hands[0], m = g->hands[1];
    const size_t size = (size_t)n * m;
    memset(g->reach, 0, sizeof(float) * size * g->states);
    memset(g->own, 0, sizeof(float) * n * g->states);
    memset(g->live, 0, (size_t)m * g->states);
    for (int row = 0; row < m; row++) {
        g->live[row] = 1;
        for (int hand = 0; hand < n; hand++)
            g->reach[row * n + hand] = g->odds[row];
    }
    for (int hand = 0; hand < n; hand++)
        g->own[hand] = 1;
    for (int state = 0; state < g->states; state++) {
        const int first = g->actions[state], count = g->actions[state + 1] - first;
        const float *reach = g->reach + size * state, *own = g->own + (size_t)n * state;
        const uint8_t *live = g->live + (size_t)m * state;
        for (int action = 0; action < count; action++) {
            const int child = g->child[first + action];
            if (child < 0)
                continue;
            float *to = g->reach + size * child, *own_to = g->own + (size_t)n * child;
            uint8_t *live_to = g->live + (size_t)m * child;
            if (g->player[state] == 0) {
                const float *share = g->strategy + g->shares[state] + (size_t)action * n;
                const float even = explored / count, rest = 1 - explored;
                for (int row = 0; row < m; row++) {
                    if (!live[row])
                        continue;
                    live_to[row] = 1;
                    for (int hand = 0; hand < n; hand++)
                        to[row * n + hand] += reach[row * n + hand] * (rest * share[hand] + even);
                }
                for (int hand = 0; hand < n; hand++)
                    own_to[hand] += own[hand] * (rest * share[hand] + even);
            } else {
                const float *share = g->strategy + g->shares[state] + (size_t)action * m;
                for (int row = 0; row < m; row++) {
                    if (!live[row] || share[row] <= 0)
                        continue;
                    live_to[row] = 1;
                    for (int hand = 0; hand < n; hand++)
                        to[row * n + hand] += reach[row * n + hand] * share[row];
                }
                for (int hand = 0; hand < n; hand++)
                    own_to[hand] += own[hand];
            }
        }
    }
}

static void match(float *strategy, const float *regrets, const float *recent, const int32_t *alike, int count, int n)
{
    for (int hand = 0; hand < n; hand++) {
        float total = 0;
        if (alike[hand] != hand) {
            for (int at = hand; at < count * n; at += n)
                strategy[at] = strategy[at - hand + alike[hand]];
            continue;
        }
        for (int at = hand; at < count * n; at += n) {
            const float each = regrets[at] + recent[at];
            strategy[at] = each > 0 ? each : 0;
            total += strategy[at];
        }
        for (int at = hand; at < count * n; at += n)
            strategy[at] = total > 0 ? strategy[at] / total : 1.0f / count;
    }
}

/* Write the learner's best worth by hand, from a state on, for the other's reach by hand. It knows the whole history, so
 * every history is followed. `room` holds two rows of hands for each coming bid. */
static void respond(const Game *g, int state, const float *reach, float *best, float *room)
{
    const int n = g->hands[0], m = g->hands[1], learns = g->player[state] == 0;
    const int first = g->actions[state], count = g->actions[state + 1] - first;
    float *worth = room, *passed = room + n;
    for (int hand = 0; hand < n; hand++)
        best[hand] = learns ? -INFINITY : 0;
    for (int action = 0; action < count; action++) {
        const float *to = reach;
        if (!learns) {
            const float *share = g->strategy + g->shares[state] + (size_t)action * m;
            int played = 0;
            for (int row = 0; row < m; row++) {
                passed[row] = reach[row] * share[row];
                played |= passed[row] > 0;
            }
            if (!played)
                continue;
            to = passed;
        }
        const int child = g->child[first + action];
        if (child < 0) {
            const float *from = g->endings + (size_t)n * m * ~child;
            memset(worth, 0, sizeof(float) * n);
            for (int row = 0; row < m; row++)
                if (to[row] > 0)
                    for (int hand = 0; hand < n; hand++)
                        worth[hand] += to[row] * from[row * n + hand];
        } else {
            respond(g, child, to, worth, room + n + m);
        }
        for (int hand = 0; hand < n; hand++)
            best[hand] = !learns ? best[hand] + worth[hand] : worth[hand] > best[hand] ? worth[hand] : best[hand];
    }
}

/* The worth of a best response that knows every history. */
double response(const Game *g, float *room)
{
    const int n = g->hands[0], m = g->hands[1];
    double total = 0;
    respond(g, 0, g->odds, room, room + n);
    for (int hand = 0; hand < n; hand++)
        total += (double)g->odds[m + hand] * room[hand];
    return total;
}

/* mode 0: learn; 1: leave the strategies; 2: the learner answers best, remembering as much as its tables */
double pass(const Game *g, int mode, float explored, float weight)
{
    const int n = g->hands[0], m = g->hands[1];
    const size_t size = (size_t)n * m;
    forward(g, explored);
    for (int state = g->states - 1; state >= 0; state--) {
        const int first = g->actions[state], count = g->actions[state + 1] - first;
        const uint8_t *live = g->live + (size_t)m * state;
        const float *reach = g->reach + size * state;
        float *value = g->value + size * state, *found = g->scratch;
        const int learns = g->player[state] == 0;
        const float *strategy = g->strategy + g->shares[state];
        memset(value, 0, sizeof(float) * size);
        if (learns)
            memset(found, 0, sizeof(float) * n * count);
        for (int action = 0; action < count; action++) {
            const int child = g->child[first + action];
            const float *from = child < 0 ? g->endings + size * ~child : g->value + size * child;
            if (learns) {
                const float *share = strategy + (size_t)action * n;
                float *worth = found + (size_t)action * n;
                for (int row = 0; row < m; row++) {
                    if (!live[row])
                        continue;
                    for (int hand = 0; hand < n; hand++) {
                        worth[hand] += reach[row * n + hand] * from[row * n + hand];
                        value[row * n + hand] += share[hand] * from[row * n + hand];
                    }
                }
            } else {
                const float *share = strategy + (size_t)action * m;
                for (int row = 0; row < m; row++) {
                    if (!live[row] || share[row] <= 0)
                        continue;
                    for (int hand = 0; hand < n; hand++)
                        value[row * n + hand] += share[row] * from[row * n + hand];
                }
            }
        }
        if (!learns || mode == 1)
            continue;
        if (mode == 2) {
            for (int hand = 0; hand < n; hand++) {
                int best = 0;
                for (int action = 1; action < count; action++)
                    if (found[action * n + hand] > found[best * n + hand])
                        best = action;
                const int child = g->child[first + best];
                const float *from = child < 0 ? g->endings + size * ~child : g->value + size * child;
                for (int row = 0; row < m; row++)
                    value[row * n + hand] = from[row * n + hand];
            }
            continue;
        }
        float *own = g->own + (size_t)n * state;
        const int64_t place = g->shares[state];
        const int32_t *alike = g->alike + (size_t)n * state;
        for (int hand = 0; hand < n; hand++) {
            const int like = alike[hand];
            const float odds = g->odds[m + hand];
            own[hand] *= odds;
            for (int at = 0; at < count * n; at += n)
                found[at + hand] *= odds;
            if (like == hand)
                continue;
            own[like] += own[hand];
            for (int at = 0; at < count * n; at += n)
                found[at + like] += found[at + hand];
        }
        for (int hand = 0; hand < n; hand++) {
            float mean = 0;
            if (alike[hand] != hand)
                continue;
            /* the mean of the merged histories' chances, weighed by the learner's own reach */
            const float scale = own[hand] > 1e-30f ? 1 / own[hand] : 0;
            for (int at = hand; at < count * n; at += n)
                mean += found[at] * strategy[at];
            for (int at = hand; at < count * n; at += n) {
                const float change = (found[at] - mean) * scale, regret = g->regrets[place + at] + change;
                g->recent[place + at] = change;
                g->regrets[place + at] = regret > 0 ? regret : 0;
                g->sums[place + at] += weight * own[hand] * strategy[at];
            }
        }
        match(g->strategy + place, g->regrets + place, g->recent + place, alike, count, n);
    }
    double total = 0;
    for (int row = 0; row < m; row++)
        for (int hand = 0; hand < n; hand++)
            total += (double)g->odds[row] * g->odds[m + hand] * g->value[row * n + hand];
    return total;
}
