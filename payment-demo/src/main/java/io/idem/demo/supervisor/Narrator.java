package io.idem.demo.supervisor;

import io.idem.demo.watch.WorkerEvent;
import io.idem.demo.watch.WorkerEvent.What;

/** Prints what happens to the work of killed workers. */
final class Narrator {

    private final Progress progress;

    Narrator(Progress progress) {
        this.progress = progress;
    }

    /** Handles an event of a worker. */
    void on(WorkerEvent event) {
        if (event.what() == What.GRANTED && event.detail().equals("TAKEOVER")) {
            progress.say("%s takes over unfinished work in scope \"%s\"", event.worker(), event.scope());
        } else if (event.what() == What.FOUND_IN_INBOX) {
            progress.say("%s finds it committed in the inbox: not done again", event.worker());
        } else if (event.what() == What.LOST) {
            progress.say("%s lost in scope \"%s\": %s", event.worker(), event.scope(), event.detail());
        }
    }
}
