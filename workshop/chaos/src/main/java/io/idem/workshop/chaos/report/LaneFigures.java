package io.idem.workshop.chaos.report;

import io.idem.workshop.chaos.check.Doubled;
import io.idem.workshop.chaos.check.Finding;
import java.util.List;

/**
 * The figures of a lane in a phase.
 *
 * @param finding findings about its messages
 * @param faults number of faults that count for the lane
 * @param doubles its keys with more than one effect, and the causes
 * @param takeover times from the end of an owner to the next grant of its key
 * @param redelivery times from the end of an owner until another consumer of the message asked for its key
 * @param overdue times by which a takeover exceeded its unavoidable wait, which is the later of the end of the lease
 *     and the redelivery
 * @param recovery times from the end of an outage to the next effect
 */
public record LaneFigures(
        Finding finding,
        int faults,
        List<Doubled> doubles,
        Distribution takeover,
        Distribution redelivery,
        Distribution overdue,
        Distribution recovery) {}
