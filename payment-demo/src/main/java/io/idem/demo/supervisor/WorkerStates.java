package io.idem.demo.supervisor;

import io.idem.demo.page.MachinesView.WorkerView;
import io.idem.demo.watch.WorkerEvent;
import io.idem.demo.watch.WorkerEvent.What;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The states of the workers. Thread-safe. */
final class WorkerStates {

    private final Workers workers;
    private final Set<Long> ready = ConcurrentHashMap.newKeySet();

    WorkerStates(Workers workers) {
        this.workers = workers;
    }

    /** Handles an event of a worker. */
    void on(WorkerEvent event) {
        if (event.what() == What.READY) {
            ready.add(event.pid());
        }
    }

    List<WorkerView> views() {
        return workers.byName().values().stream().map(this::view).toList();
    }

    private WorkerView view(Worker worker) {
        long pid = worker.pid();
        return new WorkerView(worker.name(), pid, ready.contains(pid) && worker.isAlive(), worker.kills());
    }

    boolean allReady() {
        return views().stream().allMatch(WorkerView::ready);
    }
}
