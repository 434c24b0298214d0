package io.idem.workshop.chaos.check;

import java.util.List;

/**
 * What a lane made of what it was asked for.
 *
 * @param lane which
 * @param asked keys that clients asked for
 * @param accepted of these, keys that clients were told are taken care of
 * @param effects rows in the ledger
 * @param lost accepted keys without an effect and without a dead letter
 * @param doubled keys with more than one effect
 * @param phantoms keys with an effect that nobody asked for
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
