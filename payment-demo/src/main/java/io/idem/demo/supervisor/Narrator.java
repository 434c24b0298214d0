package io.idem.demo.supervisor;

import io.idem.demo.report.Store;
import io.idem.demo.watch.WorkerEvent;
import io.idem.demo.watch.WorkerEvent.What;
import java.util.HashMap;
import java.util.Map;

/** Prints what happens to the work of killed workers. Not thread-safe. */
final class Narrator {

    private final Store store;
    private final Progress progress;

    /** The processes at work, by scope and key. */
    private final Map<String, Long> atWork = new HashMap<>();

    Narrator(Store store, Progress progress) {
        this.store = store;
        this.progress = progress;
    }

    /** Handles an event of a worker. */
    void on(WorkerEvent event) {
        if (event.what() == What.GRANTED && event.detail().equals("TAKEOVER")) {
            progress.say("%s takes over unfinished work in scope \"%s\"", event.worker(), event.scope());
        } else if (event.what() == What.FOUND_IN_INBOX) {
            found(event);
        } else if (event.what() == What.LOST) {
            progress.say("%s lost in scope \"%s\": %s", event.worker(), event.scope(), event.detail());
        } else if (store == Store.INBOX) {
            withoutLeases(event);
        }
    }

    private void found(WorkerEvent event) {
        progress.say("%s finds it committed in the inbox: not done again", event.worker());
    }

    /** Where no record is kept of work under way, the death of its process shows in the next answer to its key. */
    private void withoutLeases(WorkerEvent event) {
        String work = event.scope() + " " + event.key();
        if (event.what() == What.GRANTED) {
            Long before = atWork.put(work, event.pid());
            if (before != null && before != event.pid()) {
                progress.say("%s begins rolled back work again in scope \"%s\"", event.worker(), event.scope());
            }
        } else if (event.what() == What.SETTLED) {
            atWork.remove(work, event.pid());
        } else if (event.detail().equals("REPLAY") && atWork.remove(work) != null) {
            found(event);
        }
    }
}
