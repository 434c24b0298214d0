package io.idem.workshop.chaos.report;

import io.idem.workshop.chaos.fault.FaultRecord;
import java.util.List;
import java.util.Map;

/**
 * The report of a run, written as JSON.
 *
 * @param finished whether the run ended; otherwise the report is an intermediate one
 * @param passed whether every target was met
 * @param complaints targets that were missed
 * @param command command that repeats the run
 * @param seed seed of every random choice
 * @param flaw flaw that was built in; NONE for the unchanged library
 * @param seconds duration of the run
 * @param leaseMillis the lease of all scopes
 * @param kafkaSessionMillis time without a heartbeat after which Kafka considers a worker dead
 * @param machine description of the machine
 * @param load load average of the machine over a minute, at the start and at the end
 * @param startUp start-up times of the workers in milliseconds
 * @param stalls stalls of processes without a fault, in milliseconds, of at least a quarter of the lease
 * @param verdicts on every target
 * @param versions versions of all programs
 * @param skipped classes that could not run on this machine, and the reasons
 * @param replies number of replies by status; 0 stands for a failed connection
 * @param left number of messages left at the end, by lane; empty if all is well
 * @param phases figures of the phases in their order
 * @param deliveryLimit delivery limit of RabbitMQ's queues
 * @param returns shares of the delivery limit that classes of faults used up
 * @param faults injected faults in their order
 * @param keptLogs files in the run's directory that show why Kafka's recovery missed its target
 * @param traces files in the run's directory with what Redis did to the records of the keys that complaints name
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
        List<String> keptLogs,
        List<String> traces) {}
