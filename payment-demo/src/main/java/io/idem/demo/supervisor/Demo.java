package io.idem.demo.supervisor;

import io.idem.demo.report.Report;
import io.idem.demo.report.ReportFile;
import io.idem.demo.report.ReportText;
import io.idem.demo.story.StoryPlan;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** The whole demo: starts everything, tells the story, reports, stays up, ends everything. */
public final class Demo {

    private static final Path OUTPUT = Path.of("payment-demo", "target");

    private final DemoOptions options;
    private final Progress progress;
    private final Closing closing = new Closing();
    private final String run = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);

    /** A demo that tells {@code out} what it does. */
    public Demo(DemoOptions options, PrintStream out) {
        this.options = options;
        this.progress = new Progress(out);
    }

    /**
     * Runs it; with {@code --verify} until the report, otherwise until the process is told to end.
     *
     * @return the exit code: 0 if nothing was lost and nothing doubled
     * @throws StartException if it cannot start
     */
    public int run() throws InterruptedException {
        Thread stopping = new Thread(this::stop, "stop");
        Runtime.getRuntime().addShutdownHook(stopping);
        try (closing) {
            Stage stage = setUp();
            Report report = new Run(options, run, stage, OUTPUT, progress).tell();
            ReportFile.write(report, OUTPUT.resolve("demo-report.json"));
            progress.show(ReportText.of(report));
            if (!options.verify()) {
                stayUp(stage);
            }
            return report.passed() ? 0 : 1;
        }
    }

    private Stage setUp() throws InterruptedException {
        progress.say(
                "seed %d, %d payments; the same again: --seed %d", options.seed(), options.payments(), options.seed());
        EndpointsFile endpoints = closing.add(new EndpointsFile(OUTPUT.resolve("demo-endpoints.json")));
        endpoints.clear();
        int port = Ports.choose(options.port());
        Map<String, String> apiKeys = ApiKeys.generate(StoryPlan.TENANTS);
        Map<String, String> settings = new LinkedHashMap<>();
        if (!options.external()) {
            Servers servers = closing.add(Servers.start());
            servers.all().forEach(server -> progress.say("up: %s", server));
            settings.putAll(servers.settings());
        }
        Workers workers = closing.add(new Workers(options.inbox(), settings, OUTPUT.resolve("demo-logs")));
        workers.start();
        Intake intake = closing.add(Intake.start(port, apiKeys, settings));
        progress.say("up: intake at %s", intake.uri());
        endpoints.write(intake.uri().toString(), apiKeys, intake.addresses());
        workers.awaitReady();
        workers.byName().values().forEach(worker -> progress.say("up: %s (process %d)", worker.name(), worker.pid()));
        Stage.Clients clients = closing.add(Stage.Clients.of(intake.addresses()));
        return new Stage(intake, apiKeys, workers, clients);
    }

    private void stayUp(Stage stage) throws InterruptedException {
        progress.show(Invitation.text(stage.intake().uri(), stage.apiKeys(), run));
        new CountDownLatch(1).await();
    }

    private void stop() {
        progress.silence();
        closing.close();
    }
}
