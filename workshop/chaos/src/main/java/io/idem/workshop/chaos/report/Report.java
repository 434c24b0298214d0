package io.idem.workshop.chaos.report;

import io.idem.workshop.chaos.fault.FaultRecord;
import java.util.List;
import java.util.Map;

/**
 * Everything about a run; written as JSON.
 *
 * @param finished whether it came to its end; otherwise this is what it knew when it was last heard of
 * @param passed whether every target was met
 * @param complaints why not
 * @param command that repeats it
 * @param seed source of every choice
 * @param flaw that was built in, NONE for the library as it is
 * @param seconds from start to end
 * @param leaseMillis the lease of all scopes
 * @param kafkaSessionMillis after how much silence Kafka takes a worker for dead
 * @param machine it was made on
 * @param load average of that machine over a minute, at the start and at the end
 * @param startUp of the workers, in milliseconds
 * @param stalls how long processes stood still by themselves, in milliseconds; what is shorter than a quarter of the lease is left out
 * @param verdicts on every target
 * @param versions of everything
 * @param skipped classes that could not be run here, and why
 * @param replies by status; 0 stands for a connection that failed
 * @param left messages left by lane when all was over; none, if all is well
 * @param phases in their order
 * @param deliveryLimit of RabbitMQ's queues
 * @param returns what classes of faults cost of that
 * @param faults in their order
 * @param keptLogs files of the run's directory that tell why Kafka's recovery missed its target
 */
public record Report(
        boolean finished,
        boolean passed,
        List<String> complaints,
        String command,
        long seed,
        String flaw,
        double seconds,
        long leaseMillis,
        long kafkaSessionMillis,
        String machine,
        List<String> load,
        Distribution startUp,
        Distribution stalls,
        List<Verdict> verdicts,
        List<String> versions,
        List<String> skipped,
        Map<Integer, Long> replies,
        Map<String, Long> left,
        List<PhaseFigures> phases,
        int deliveryLimit,
        List<ReturnFigures> returns,
        List<FaultRecord> faults,
        List<String> keptLogs) {}
