package io.idem.benchmarks.redis;

import io.idem.benchmarks.Servers;
import io.idem.benchmarks.Suite;
import io.idem.benchmarks.contestant.BatchContestant;
import io.idem.benchmarks.contestant.BatchContestants;
import io.idem.benchmarks.contestant.Contestant;
import io.idem.benchmarks.contestant.Contestants;
import io.idem.benchmarks.report.Figures;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;

/** Whether a pair gets slower as records pile up: its median against two PING, on an empty server and on a full one. */
public final class GrowthSuite implements Suite {

    private static final int PAIRS = 4_000;
    private static final int BATCH = 500;
    private static final int RECORDS_PER_SECOND = 40_000;
    private static final int AROUND = 10;
    private static final double NANOS_PER_MICRO = 1_000;

    private final Servers servers;
    private final int records;

    /** A suite that fills up to so many records. */
    public GrowthSuite(Servers servers, int records) {
        this.servers = servers;
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
    public void round(Figures figures, Random order) {
        servers.redis().command("FLUSHALL");
        figures.add("pair / two PING, no records: IDEM", "x", ratio());
        fill();
        figures.add("pair / two PING, many records: IDEM", "x", ratio());
        figures.add("records", "", Double.parseDouble(servers.redis().command("DBSIZE")));
        servers.redis().command("FLUSHALL");
    }

    private double ratio() {
        return median(Contestants.IDEM) / median(Contestants.TWO_PINGS);
    }

    private double median(Contestants who) {
        String series = UUID.randomUUID() + ":";
        try (Contestant contestant = who.connect(servers.redis().uri())) {
            IntStream.range(0, PAIRS).forEach(pair -> contestant.fresh(series + "warm" + pair));
            double[] micros = new double[PAIRS];
            for (int pair = 0; pair < PAIRS; pair++) {
                long start = System.nanoTime();
                contestant.fresh(series + pair);
                micros[pair] = (System.nanoTime() - start) / NANOS_PER_MICRO;
            }
            Arrays.sort(micros);
            return micros[PAIRS / 2];
        }
    }

    private void fill() {
        try (BatchContestant contestant =
                BatchContestants.connect("IDEM", servers.redis().uri())) {
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
