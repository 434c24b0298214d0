package io.idem.demo.flow;

import java.util.Map;

/**
 * The state of one scope's part of an operation.
 *
 * @param scope whose step it is
 * @param state WAITING before the first grant, then the record's: PENDING, COMPLETED, FAILED or REJECTED
 * @param worker who is or was at it, or empty
 * @param takeovers grants after an owner whose lease had ended
 * @param duplicates messages or requests that found it done
 * @param deferred messages or requests that found somebody at it
 * @param foundInInbox whether a takeover found the work committed, and did not repeat it
 * @param parts how the steps within the work ended last, by name: RAN, REMEMBERED, ...
 */
public record StepView(
        String scope,
        String state,
        String worker,
        int takeovers,
        int duplicates,
        int deferred,
        boolean foundInInbox,
        Map<String, String> parts) {}
