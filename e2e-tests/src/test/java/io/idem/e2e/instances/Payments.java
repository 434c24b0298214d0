package io.idem.e2e.instances;

import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.ConsumerEventListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** The payments that the instances make, one for each key; every tenth one fails the first time. Thread-safe. */
public final class Payments implements ConsumerEventListener {

    private static final int FAILING = 10;
    private static final Duration WORK = Duration.ofMillis(2);

    private final List<String> keys;
    private final Set<String> toFail = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> effects = new ConcurrentHashMap<>();
    private final Set<Integer> workers = ConcurrentHashMap.newKeySet();
    private final AtomicInteger duplicates = new AtomicInteger();
    private final AtomicInteger deadLetters = new AtomicInteger();

    /** Creates payments whose keys begin with a prefix. */
    public Payments(String prefix, int count) {
        keys = IntStream.range(0, count)
                .mapToObj(number -> prefix + "-" + number)
                .toList();
        IntStream.range(0, count)
                .filter(number -> number % FAILING == 0)
                .mapToObj(keys::get)
                .forEach(toFail::add);
    }

    void pay(int instance, String key) {
        LockSupport.parkNanos(WORK.toNanos());
        if (toFail.remove(key)) {
            throw new IllegalStateException("The first attempt of " + key + " fails");
        }
        workers.add(instance);
        effects.merge(key, 1, Integer::sum);
    }

    public List<String> keys() {
        return keys;
    }

    /** Returns how many payments were made. */
    public int made() {
        return effects.size();
    }

    /** Returns the keys whose number of effects is not one, with that number. */
    public Map<String, Integer> wrong() {
        Map<String, Integer> wrong = new TreeMap<>();
        for (String key : keys) {
            int count = effects.getOrDefault(key, 0);
            if (count != 1) {
                wrong.put(key, count);
            }
        }
        return wrong;
    }

    /** Returns how many of the payments that fail once have not failed yet. */
    public int notFailedYet() {
        return toFail.size();
    }

    /** Returns the numbers of the instances that made payments. */
    public Set<Integer> workers() {
        return Set.copyOf(workers);
    }

    /** Returns how many messages were skipped as duplicates. */
    public int duplicates() {
        return duplicates.get();
    }

    /** Returns how many messages became dead letters. */
    public int deadLetters() {
        return deadLetters.get();
    }

    @Override
    public void on(ConsumerEvent event) {
        if (event instanceof ConsumerEvent.Duplicate) {
            duplicates.incrementAndGet();
        } else if (event instanceof ConsumerEvent.DeadLettered) {
            deadLetters.incrementAndGet();
        }
    }
}
