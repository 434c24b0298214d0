package io.idem.workshop.chaos;

import io.idem.workshop.chaos.stage.Backends;
import io.idem.workshop.chaos.stage.Stage;
import io.idem.workshop.chaos.worker.Flaw;
import io.idem.workshop.chaos.worker.StallWatch;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/** Tries every flaw under the faults that should reveal it, and the unchanged library under the same faults. */
final class Score {

    private final ChaosOptions options;
    private final String command;
    private final PrintStream out;
    private final List<Exam> exams;
    private final long start = System.nanoTime();

    Score(ChaosOptions options, String command, PrintStream out) {
        this.options = options;
        this.command = command;
        this.out = out;
        this.exams = Exam.of(options.flaw());
    }

    ScoreReport run() {
        try (StallWatch watch = new StallWatch(options.output().resolve(Stage.STALLS));
                Backends backends = new Backends(options.deliveryLimit())) {
            List<String> complaintsOfSound = sound(backends);
            List<ScoreReport.Entry> entries = new ArrayList<>();
            for (Exam exam : exams) {
                entries.add(tried(exam, backends));
            }
            return ScoreReport.of(command, options.seed(), seconds(), backends.versions(), complaintsOfSound, entries);
        }
    }

    private List<String> sound(Backends backends) {
        say("the library as it is");
        Trial.Verdict verdict = new Trial(options, backends, Flaw.NONE).run(Exam.sound(exams));
        say(verdict.complaints().isEmpty() ? "clean" : "NOT CLEAN: " + verdict.complaints());
        return verdict.complaints();
    }

    private ScoreReport.Entry tried(Exam exam, Backends backends) {
        Trial.Verdict verdict = verdict(exam, backends);
        ScoreReport.Entry entry = ScoreReport.Entry.of(exam, verdict);
        say(exam.flaw().id() + " (" + exam.faultClass().id() + "): "
                + (entry.caught() ? "caught: " + verdict.complaints() : "NOT CAUGHT"));
        return entry;
    }

    /** Tries a flaw. If the laboratory fails, the flaw counts as not caught and the remaining flaws are still tried. */
    private Trial.Verdict verdict(Exam exam, Backends backends) {
        try {
            return new Trial(options, backends, exam.flaw()).run(List.of(exam));
        } catch (RuntimeException | AssertionError broken) {
            LoggerFactory.getLogger(Score.class)
                    .error("{} broke down", exam.flaw().id(), broken);
            say(exam.flaw().id() + " broke down: " + broken.getMessage());
            return new Trial.Verdict(List.of(), 0);
        }
    }

    private double seconds() {
        return (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
    }

    private void say(String what) {
        out.printf("%7.1f s  %s%n", seconds(), what);
    }
}
