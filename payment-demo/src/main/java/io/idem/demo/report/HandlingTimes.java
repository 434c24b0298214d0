package io.idem.demo.report;

import io.idem.demo.watch.WorkerEvent;
import io.idem.demo.watch.WorkerEvent.What;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The times from the grant to COMPLETED, by scope: the cost of one message to a consumer, including its own work. */
public final class HandlingTimes {

    private HandlingTimes() {}

    /** The median of each scope, in milliseconds. */
    public static Map<String, Double> medians(List<WorkerEvent> events) {
        Map<String, Long> grantedAt = new HashMap<>();
        Map<String, ArrayList<Long>> nanos = new TreeMap<>();
        for (WorkerEvent event : events) {
            String grant = event.pid() + " " + event.scope() + " " + event.key() + " " + event.fence();
            if (event.what() == What.GRANTED) {
                grantedAt.put(grant, event.nanos());
            } else if (event.what() == What.SETTLED && event.detail().equals("COMPLETED")) {
                Long start = grantedAt.remove(grant);
                if (start != null) {
                    nanos.computeIfAbsent(event.scope(), scope -> new ArrayList<>())
                            .add(event.nanos() - start);
                }
            }
        }
        Map<String, Double> medians = new TreeMap<>();
        nanos.forEach((scope, all) -> medians.put(scope, median(all)));
        return medians;
    }

    private static double median(List<Long> nanos) {
        List<Long> sorted = nanos.stream().sorted().toList();
        long middle = sorted.get(sorted.size() / 2);
        return TimeUnit.NANOSECONDS.toMicros(middle) / 1_000.0;
    }
}
