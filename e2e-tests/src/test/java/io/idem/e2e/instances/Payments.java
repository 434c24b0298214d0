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

/** The work of all instances and its effects: each key is one payment, and every tenth one fails the first time. Thread-safe. */
public final class Payments implements ConsumerEventListener {

    private static final int FAILING = 10;
    private static final Duration WORK = Duration.ofMillis(2);

    private final List<String> keys;
    private final Set<String> toFail = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> effects = new ConcurrentHashMap<>();
    private final Set<Integer> workers = ConcurrentHashMap.newKeySet();
    private final AtomicInteger duplicates = new AtomicInteger();
    private final AtomicInteger deadLetters = new AtomicInteger();

    /** Payments whose keys begin with a prefix. */
    public Payments(String prefix, int count) {
        keys = IntStream.range(0, count)
                .mapToObj(number -> prefix + "-" + number)
                .toList();
        IntStream.range(0, count)
                .filter(number -> number % FAILING == 0)
                .mapToObj(keys::get)
                .forEach(toFail::add);
    }

    /** Makes the payment of a key. */
    void pay(int instance, String key) {
        LockSupport.parkNanos(WORK.toNanos());
        if (toFail.remove(key)) {
            throw new IllegalStateException("The first attempt of " + key + " fails");
        }
        workers.add(instance);
        effects.merge(key, 1, Integer::sum);
    }

    /** All keys. */
    public List<String> keys() {
        return keys;
    }

    /** How many payments have been made. */
    public int made() {
        return effects.size();
    }

    /** The keys whose number of effects is not one, with that number. */
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

    /** How many of the payments that are to fail have not yet. */
    public int notFailedYet() {
        return toFail.size();
    }

    /** The instances that made payments, by number. */
    public Set<Integer> workers() {
        return Set.copyOf(workers);
    }

    /** How many messages were skipped as duplicates. */
    public int duplicates() {
        return duplicates.get();
    }

    /** How many messages became dead letters. */
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
