package io.idem.e2e.chaos.report;

import io.idem.e2e.chaos.check.Finding;

/**
 * A lane in a phase.
 *
 * @param finding what became of its messages
 * @param takeover from the end of an owner to the next grant of the key it held
 * @param recovery from the end of an outage to the next effect
 */
public record LaneFigures(Finding finding, Distribution takeover, Distribution recovery) {}
