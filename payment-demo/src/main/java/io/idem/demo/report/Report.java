package io.idem.demo.report;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The report of a run, written as JSON.
 *
 * @param passed whether nothing was lost, nothing doubled, and the story was one worth telling
 * @param complaints why not
 * @param seed from which the plan followed
 * @param payments that were planned
 * @param store where idem kept its records
 * @param inbox whether the inbox protected payments
 * @param seconds from the start of the servers to the end of the check
 * @param storySeconds of these, from the first request until all was quiet
 * @param versions of everything
 * @param figures the table
 * @param consumers one finding for each
 * @param kills in their order
 * @param handlingMillis median time from grant to COMPLETED, by scope
 * @param inboxCost what the inbox costs, if it was measured
 */
public record Report(
        boolean passed,
        List<String> complaints,
        long seed,
        int payments,
        Store store,
        boolean inbox,
        double seconds,
        double storySeconds,
        Versions versions,
        Figures figures,
        List<Finding> consumers,
        List<Kill> kills,
        Map<String, Double> handlingMillis,
        @Nullable InboxCost inboxCost) {}
