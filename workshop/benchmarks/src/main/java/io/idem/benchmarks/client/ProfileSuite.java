package io.idem.benchmarks.client;

import io.idem.benchmarks.Servers;
import io.idem.benchmarks.Suite;
import io.idem.benchmarks.contestant.BatchContestant;
import io.idem.benchmarks.contestant.BatchContestants;
import io.idem.benchmarks.contestant.Contestant;
import io.idem.benchmarks.contestant.Contestants;
import io.idem.benchmarks.report.Figures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import jdk.jfr.Recording;

/** Profiles the CPU time of the client with JDK Flight Recorder: single pairs of one caller, and batches. */
public final class ProfileSuite implements Suite {

    private static final int SECONDS = 20;
    private static final int PAIRS = 20_000;
    private static final int BATCHES = 400;
    private static final int SIZE = 500;
    private static final Duration PERIOD = Duration.ofMillis(2);

    private final Servers servers;

    public ProfileSuite(Servers servers) {
        this.servers = servers;
    }

    @Override
    public String name() {
        return "profile";
    }

    @Override
    public int seconds() {
        return SECONDS;
    }

    @Override
    public int enoughRounds() {
        return FEW_ROUNDS;
    }

    @Override
    public void round(Figures figures, Random order) throws IOException {
        String redis = servers.redis().uri();
        servers.redis().command("FLUSHALL");
        try (Contestant idem = Contestants.IDEM.connect(redis);
                BatchContestant batches = BatchContestants.connect("IDEM", redis)) {
            pairs(idem);
            batches(batches);
            profile("pairs", () -> pairs(idem), figures);
            profile("batches of 500", () -> batches(batches), figures);
        }
    }

    private static void pairs(Contestant idem) {
        String series = UUID.randomUUID() + ":";
        IntStream.range(0, PAIRS).forEach(pair -> idem.fresh(series + pair));
    }

    private static void batches(BatchContestant idem) {
        for (int batch = 0; batch < BATCHES; batch++) {
            String series = UUID.randomUUID() + ":";
            List<String> keys =
                    IntStream.range(0, SIZE).mapToObj(number -> series + number).toList();
            idem.batch(keys);
        }
    }

    private static void profile(String what, Runnable work, Figures figures) throws IOException {
        Path file = Files.createTempFile("idem-bench", ".jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.ExecutionSample").withPeriod(PERIOD);
            recording.start();
            work.run();
            recording.stop();
            recording.dump(file);
            Samples samples = Samples.read(file);
            samples.layers().forEach((layer, share) -> figures.add("CPU of " + what + ": " + layer, "%", share));
            samples.hottest().forEach((method, share) -> figures.add("hot in " + what + ": " + method, "%", share));
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
