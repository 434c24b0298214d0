package io.idem.demo.supervisor;

import io.idem.demo.report.Report;
import io.idem.demo.report.ReportFile;
import io.idem.demo.report.ReportText;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** The demo: starts the servers and processes, runs the plan, writes the report, stays up and stops everything. */
public final class Demo {

    /** The demo's own tests set it; the log file's place in logback.xml follows it, too. */
    private static final Path OUTPUT = Path.of(System.getProperty("demo.output", "payment-demo/target"));

    private final DemoOptions options;
    private final Progress progress;
    private final Closing closing = new Closing();
    private final String run = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);

    /** Creates a demo that prints its progress to {@code out}. */
    public Demo(DemoOptions options, PrintStream out) {
        this.options = options;
        this.progress = new Progress(out);
    }

    /**
     * Runs the demo, with {@code --verify} until the report, otherwise until the process is terminated.
     *
     * @return the exit code: 0 if nothing was lost and nothing doubled
     * @throws StartException if it cannot start
     */
    public int run() throws InterruptedException {
        Thread stopping = new Thread(this::stop, "stop");
        Runtime.getRuntime().addShutdownHook(stopping);
        try (closing) {
            progress.say(
                    "seed %d, %d payments; the same again: --seed %d",
                    options.seed(), options.payments(), options.seed());
            Stage stage = new SetUp(options, run, OUTPUT, closing, progress).start();
            boolean passed = options.page() || tellStory(stage);
            if (!options.verify()) {
                stayUp(stage);
            }
            return passed ? 0 : 1;
        }
    }

    private boolean tellStory(Stage stage) throws InterruptedException {
        Report report = new Run(options, run, stage, OUTPUT, progress).tell();
        ReportFile.write(report, OUTPUT.resolve("demo-report.json"));
        progress.show(ReportText.of(report));
        return report.passed();
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
