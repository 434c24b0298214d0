package io.idem.workshop.chaos.check;

import java.util.List;

/**
 * The findings of one lane.
 *
 * @param lane name of the lane
 * @param asked keys that clients asked for
 * @param accepted keys of accepted requests
 * @param effects rows in the ledger
 * @param lost accepted keys without an effect and without a dead letter
 * @param doubled keys with more than one effect
 * @param phantoms keys with an effect that no client asked for
 * @param wrongReplays keys whose client got two different answers
 * @param dead keys of dead letters
 * @param unanswered keys whose client gave up
 */
public record Finding(
        String lane,
        int asked,
        int accepted,
        int effects,
        List<String> lost,
        List<String> doubled,
        List<String> phantoms,
        List<String> wrongReplays,
        List<String> dead,
        List<String> unanswered) {}
