package io.idem.applications.shop;

import java.util.concurrent.CountDownLatch;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * The effects of all applications, kept in Redis, so that those of a killed process are still there. What happens at the first attempt
 * is part of a payment's name. Thread-safe.
 */
public final class Ledger {

    /** Prefix of payments whose first attempt fails. */
    public static final String FAILS_ONCE = "fails-once";

    /** Prefix of payments whose first attempt blocks until the process is killed. */
    public static final String KILLED = "killed";

    private final StringRedisTemplate redis;

    /** Keeps its counts there. */
    public Ledger(StringRedisTemplate redis) {
        this.redis = redis;
    }

    /**
     * The effect.
     *
     * @throws CardRefusedException at the first attempt of some payments, before the effect
     */
    public void pay(String payment) {
        boolean first = count("attempts", payment) == 1;
        if (first && payment.startsWith(FAILS_ONCE)) {
            throw new CardRefusedException(payment);
        }
        if (first && payment.startsWith(KILLED)) {
            standStill();
        }
        count("effects", payment);
    }

    private static void standStill() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Not killed", e);
        }
    }

    /** The application's own dead letter: its error handler or recoverer keeps what has failed. */
    public void setAside(String payment) {
        count("set-aside", payment);
    }

    private long count(String what, String payment) {
        Long now = redis.opsForValue().increment(what + ":" + payment);
        return now == null ? 0 : now;
    }

    /** How often work on it has begun. */
    public int attempts(String payment) {
        return number("attempts", payment);
    }

    /** How often it took effect. */
    public int effects(String payment) {
        return number("effects", payment);
    }

    /** How often the application set it aside. */
    public int setAsides(String payment) {
        return number("set-aside", payment);
    }

    private int number(String what, String payment) {
        String now = redis.opsForValue().get(what + ":" + payment);
        return now == null ? 0 : Integer.parseInt(now);
    }
}
