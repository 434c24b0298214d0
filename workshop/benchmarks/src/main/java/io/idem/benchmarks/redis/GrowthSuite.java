package io.idem.benchmarks.redis;

import io.idem.benchmarks.Suite;
import io.idem.benchmarks.contestant.BatchContestant;
import io.idem.benchmarks.contestant.BatchContestants;
import io.idem.benchmarks.contestant.Contestant;
import io.idem.benchmarks.contestant.Contestants;
import io.idem.benchmarks.report.Figures;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Measures whether a pair gets slower with the number of records: its median against two PING commands, on an empty
 * server and on a full one. Each round starts a server, because stopping it is faster than deleting millions of
 * records.
 */
public final class GrowthSuite implements Suite {

    private static final int WARM_UP = 10_000;
    private static final int PAIRS = 8_000;
    private static final int BATCH = 500;
    private static final int RECORDS_PER_SECOND = 40_000;
    private static final int AROUND = 12;
    private static final double NANOS_PER_MICRO = 1_000;

    private final int records;

    /** Creates a suite that adds that many records. */
    public GrowthSuite(int records) {
        this.records = records;
    }

    @Override
    public String name() {
        return "growth";
    }

    @Override
    public int seconds() {
        return AROUND + records / RECORDS_PER_SECOND;
    }

    @Override
    public int enoughRounds() {
        return FEW_ROUNDS;
    }

    @Override
    public void round(Figures figures, Random order) {
        try (RunningRedis redis = RedisServers.start(ServerOptions.own());
                Contestant idem = Contestants.IDEM.connect(redis.uri());
                Contestant pings = Contestants.TWO_PINGS.connect(redis.uri())) {
            turns(idem, pings, WARM_UP);
            redis.command("FLUSHALL");
            figures.add("pair / two PING, no records: IDEM", "x", turns(idem, pings, PAIRS));
            fill(redis);
            figures.add("pair / two PING, many records: IDEM", "x", turns(idem, pings, PAIRS));
            figures.add("many records", "", Double.parseDouble(redis.command("DBSIZE")));
        }
    }

    /** Returns the ratio of the medians. The two are measured alternately, so that a disturbance affects both. */
    private static double turns(Contestant idem, Contestant pings, int count) {
        String series = UUID.randomUUID() + ":";
        double[] pair = new double[count];
        double[] floor = new double[count];
        for (int turn = 0; turn < count; turn++) {
            pair[turn] = micros(idem, series + turn);
            floor[turn] = micros(pings, series + turn);
        }
        return median(pair) / median(floor);
    }

    private static double micros(Contestant who, String key) {
        long start = System.nanoTime();
        who.fresh(key);
        return (System.nanoTime() - start) / NANOS_PER_MICRO;
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    private void fill(RunningRedis redis) {
        try (BatchContestant contestant = BatchContestants.connect("IDEM", redis.uri())) {
            for (int filled = 0; filled < records; filled += BATCH) {
                String series = UUID.randomUUID() + ":";
                List<String> keys = IntStream.range(0, BATCH)
                        .mapToObj(number -> series + number)
                        .toList();
                contestant.batch(keys);
            }
        }
    }
}
