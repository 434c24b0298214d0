package io.idem.workshop.simulation.kernel;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Replaces {@link java.util.concurrent.CountDownLatch}. */
public final class VirtualLatch {

    private final Set<Runnable> waiting = new LinkedHashSet<>();
    private long count;

    public VirtualLatch(int count) {
        this.count = count;
    }

    public void countDown() {
        count--;
        if (count == 0) {
            waiting.forEach(Runnable::run);
        }
    }

    public boolean await(long time, TimeUnit unit) {
        Kernel kernel = Kernel.current();
        if (count > 0) {
            try (Waker waker = kernel.waker()) {
                waiting.add(waker);
                kernel.sleep(unit.toNanos(time));
            }
        }
        return count <= 0;
    }
}
