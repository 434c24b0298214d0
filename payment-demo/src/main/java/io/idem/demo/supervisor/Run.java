package io.idem.demo.supervisor;

import io.idem.demo.report.Check;
import io.idem.demo.report.Consumer;
import io.idem.demo.report.EffectFigures;
import io.idem.demo.report.Figures;
import io.idem.demo.report.Finding;
import io.idem.demo.report.HandlingTimes;
import io.idem.demo.report.HttpFigures;
import io.idem.demo.report.InboxCost;
import io.idem.demo.report.Report;
import io.idem.demo.report.StepFigures;
import io.idem.demo.report.WorkerFigures;
import io.idem.demo.story.ClientLog;
import io.idem.demo.story.Exchange;
import io.idem.demo.story.Story;
import io.idem.demo.story.StoryPlan;
import io.idem.demo.watch.WorkerEvent;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A run of the demo, from the first request to the final check. */
final class Run {

    private final DemoOptions options;
    private final String name;
    private final Stage stage;
    private final Progress progress;
    private final StoryPlan plan;
    private final Path clientLog;
    private final Witness witness;
    private final Duplicates duplicates;
    private final Crashes crashes;

    Run(DemoOptions options, String name, Stage stage, Path output, Progress progress) {
        this.options = options;
        this.name = name;
        this.stage = stage;
        this.progress = progress;
        this.plan = StoryPlan.of(options.seed(), options.payments(), name);
        this.clientLog = output.resolve("demo-clients.jsonl");
        this.witness = Witness.ofStory(stage.intake().addresses().jdbc(), name);
        this.duplicates = new Duplicates(stage.clients().amqp(), stage.clients().kafka());
        this.crashes =
                new Crashes(CrashPlan.of(plan, options.seed()), stage.workers().byName(), progress);
    }

    Report tell() throws InterruptedException {
        double start = progress.seconds();
        try (crashes) {
            stage.workers().events().listen(crashes::on);
            runClients();
            List<Exchange> exchanges = ClientLog.read(clientLog);
            new Quiescence(stage, crashes, witness, new Check(exchanges), progress)
                    .await(plan.operations().size());
            return judge(exchanges, progress.seconds() - start);
        }
    }

    private @Nullable InboxCost inboxCost() throws InterruptedException {
        if (options.inbox()) {
            return null;
        }
        progress.say("measuring what the inbox costs");
        return new InboxComparison(stage.workers(), stage.clients().amqp(), name).measure();
    }

    private void runClients() throws InterruptedException {
        progress.say("the clients start: %d operations", plan.operations().size());
        try (ClientLog log = new ClientLog(clientLog, stage.clientListener())) {
            Story story = new Story(plan, stage.intake().uri(), stage.apiKeys(), duplicates, log);
            try (var ticker = new StoryTicker(story, log, stage.workers().events(), options.store(), progress)) {
                story.run();
            }
            progress.say("the clients are done: %d requests", log.size());
        }
    }

    private Report judge(List<Exchange> exchanges, double storySeconds) throws InterruptedException {
        List<WorkerEvent> events = stage.workers().events().all();
        Check check = new Check(exchanges);
        List<Finding> findings = Arrays.stream(Consumer.values())
                .map(consumer -> check.of(consumer, witness.effects(consumer)))
                .toList();
        Figures figures = new Figures(
                HttpFigures.of(exchanges),
                WorkerFigures.of(events, options.store()),
                StepFigures.of(events),
                new Figures.Outside(duplicates.published(), crashes.count(), deadLetters()),
                EffectFigures.of(findings, check.differentAnswers()));
        List<String> complaints = figures.complaints(options.store());
        return new Report(
                complaints.isEmpty(),
                complaints,
                options.seed(),
                options.payments(),
                options.store(),
                options.inbox(),
                progress.seconds(),
                storySeconds,
                ServerVersions.ask(stage, witness),
                figures,
                findings,
                crashes.kills(events),
                HandlingTimes.medians(events),
                inboxCost());
    }

    private int deadLetters() {
        return stage.clients().amqp().deadLetters()
                + (int) stage.clients().kafka().deadLetters();
    }
}
