package io.idem.demo.supervisor;

import io.idem.demo.report.Store;
import io.idem.demo.watch.WorkerEvent;
import io.idem.demo.watch.WorkerEvent.What;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongPredicate;

/** Prints what happens to the work of killed workers. Not thread-safe. */
final class Narrator {

    private final Store store;
    private final Progress progress;
    private final LongPredicate alive;

    /** The processes at work, by scope and key. */
    private final Map<String, Long> atWork = new HashMap<>();

    /** @param alive whether a process lives: the events of two workers may be read in another order than they came */
    Narrator(Store store, Progress progress, LongPredicate alive) {
        this.store = store;
        this.progress = progress;
        this.alive = alive;
    }

    /** Handles an event of a worker. */
    void on(WorkerEvent event) {
        if (event.what() == What.GRANTED && event.detail().equals("TAKEOVER")) {
            progress.say("%s takes over unfinished work in scope \"%s\"", event.worker(), event.scope());
            atWork.put(work(event), event.pid());
        } else if (event.what() == What.FOUND_IN_INBOX) {
            found(event);
        } else if (event.what() == What.STEP_ENDED) {
            ended(event);
        } else if (event.what() == What.LOST) {
            progress.say("%s lost in scope \"%s\": %s", event.worker(), event.scope(), event.detail());
        } else if (store == Store.INBOX) {
            withoutLeases(event);
        }
    }

    private void ended(WorkerEvent step) {
        if (step.detail().startsWith("REMEMBERED ")) {
            progress.say("%s remembers a step in scope \"%s\": not done again", step.worker(), step.scope());
        }
    }

    private void found(WorkerEvent event) {
        progress.say("%s finds it committed in the inbox: not done again", event.worker());
    }

    /** Where no lease tells of work under way, the death of a process is noticed by the next answer to its key. */
    private void withoutLeases(WorkerEvent event) {
        String work = work(event);
        if (event.what() == What.GRANTED) {
            Long before = atWork.put(work, event.pid());
            if (before != null && hasDied(before)) {
                progress.say("%s begins rolled back work again in scope \"%s\"", event.worker(), event.scope());
            }
        } else if (event.what() == What.SETTLED) {
            atWork.remove(work, event.pid());
        } else if (event.detail().equals("REPLAY")) {
            Long owner = atWork.remove(work);
            if (owner != null && hasDied(owner)) {
                found(event);
            }
        }
    }

    private static String work(WorkerEvent event) {
        return event.scope() + " " + event.key();
    }

    private boolean hasDied(long process) {
        return !alive.test(process);
    }
}
