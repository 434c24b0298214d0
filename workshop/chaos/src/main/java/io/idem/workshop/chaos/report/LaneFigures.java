package io.idem.workshop.chaos.report;

import io.idem.workshop.chaos.check.Doubled;
import io.idem.workshop.chaos.check.Finding;
import java.util.List;

/**
 * A lane in a phase.
 *
 * @param finding what became of its messages
 * @param faults that count for it
 * @param doubles its keys with more than one effect, and why
 * @param takeover from the end of an owner to the next grant of the key it held
 * @param redelivery from the end of an owner until somebody else who had the message asked for its key
 * @param overdue by how much each takeover exceeded what it had to wait for: the rest of the lease, or the redelivery
 * @param recovery from the end of an outage to the next effect
 */
public record LaneFigures(
        Finding finding,
        int faults,
        List<Doubled> doubles,
        Distribution takeover,
        Distribution redelivery,
        Distribution overdue,
        Distribution recovery) {}
