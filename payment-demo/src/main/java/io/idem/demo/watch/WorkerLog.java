package io.idem.demo.watch;

import io.idem.demo.watch.WorkerEvent.What;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Writes events of this process to its log. Thread-safe. */
@Component
class WorkerLog implements EventSink {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerLog.class);

    private final String worker;

    WorkerLog(@Value("${demo.worker}") String worker) {
        this.worker = worker;
    }

    @Override
    public void write(What what, String scope, String key, String detail, long fence) {
        long pid = ProcessHandle.current().pid();
        LOG.info(new WorkerEvent(worker, pid, what, scope, key, detail, fence, System.nanoTime()).line());
    }

    @EventListener(ApplicationReadyEvent.class)
    void ready() {
        write(What.READY, "", "", "", 0);
    }
}
