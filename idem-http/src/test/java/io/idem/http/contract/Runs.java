package io.idem.http.contract;

import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Counts how often handlers ran, by key, and holds them back on demand. */
public final class Runs {

    private final ConcurrentHashMap<String, AtomicInteger> counts = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, CountDownLatch> gates = new ConcurrentHashMap<>();

    /** Counts a run; waits while its key's gate is shut. */
    public int enter(@Nullable String key) {
        String known = key == null ? "none" : key.replace("\"", "");
        int run = counts.computeIfAbsent(known, unused -> new AtomicInteger()).incrementAndGet();
        CountDownLatch gate = gates.get(known);
        if (gate != null) {
            await(gate);
        }
        return run;
    }

    public int of(String key) {
        AtomicInteger count = counts.get(key);
        return count == null ? 0 : count.get();
    }

    /** Bytes that look like chance. */
    public byte[] noise(int seed, int size) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    public void shut(String key) {
        gates.put(key, new CountDownLatch(1));
    }

    public void open(String key) {
        CountDownLatch gate = gates.remove(key);
        if (gate != null) {
            gate.countDown();
        }
    }

    private static void await(CountDownLatch gate) {
        try {
            if (!gate.await(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("The gate stayed shut");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
