package io.idem.workshop.chaos.fault;

import io.idem.servers.process.Waiting;
import io.idem.workshop.chaos.load.Load;
import io.idem.workshop.chaos.stage.Backends;
import io.idem.workshop.chaos.worker.Lane;
import io.idem.workshop.chaos.worker.Names;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Messages that fail, become dead letters and are redriven after the cause of their failure is removed. */
public final class Redrive {

    /** Start of the last part of the keys of poison messages. */
    public static final String NAME = "poison-";

    private static final int MESSAGES = 5;
    private static final Duration DEAD_WITHIN = Duration.ofSeconds(60);

    private Redrive() {}

    static String strike(Blow blow, Lane lane) {
        Load load = blow.load();
        String name = NAME + Long.toHexString(blow.random().nextLong());
        List<String> keys = IntStream.range(0, MESSAGES)
                .mapToObj(number -> load.freshKey(lane, name + "-" + number))
                .toList();
        blow.stage().publish(lane, keys, Names.POISON);
        keys.forEach(key -> load.adopt(lane, key));
        Backends backends = blow.stage().backends();
        boolean dead = Waiting.until(DEAD_WITHIN, () -> deadKeys(backends, lane).containsAll(keys));
        keys.forEach(key ->
                backends.ledger().execute("INSERT INTO " + Names.CURED + " (idempotency_key) VALUES ('" + key + "')"));
        bringBack(blow, lane, keys);
        return keys.size() + " on " + lane.id() + (dead ? "" : ", not all dead in time");
    }

    private static List<String> deadKeys(Backends backends, Lane lane) {
        return lane.rabbit() ? backends.rabbit().deadKeys() : backends.topics().deadKeys();
    }

    private static void bringBack(Blow blow, Lane lane, List<String> keys) {
        if (lane.rabbit()) {
            blow.stage().backends().rabbit().redrive();
        } else {
            blow.stage().publish(lane, keys, Names.POISON);
        }
    }
}
