package io.idem.demo.flow;

import java.util.List;

/**
 * An operation as it is now.
 *
 * @param id of its key
 * @param at when it was first heard of, milliseconds since 1970
 * @param kind PAYMENT or PAYOUT
 * @param tenant whose it is, or empty while nobody has said
 * @param key under which its client asks, or empty
 * @param amount in cents, or 0
 * @param replies to its client
 * @param steps in the order of the work
 */
public record OperationView(
        String id,
        long at,
        String kind,
        String tenant,
        String key,
        long amount,
        List<ReplyView> replies,
        List<StepView> steps) {}
