package io.idem.test.warehouse;

import io.idem.step.StepContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Component;

/** The system that steps call; counts its calls. The part of the work behind the steps fails as often as a test wants. */
@Component
class Provider {

    private final List<String> keys = new CopyOnWriteArrayList<>();
    private final AtomicInteger failures = new AtomicInteger();

    String call(StepContext step) {
        keys.add(step.key());
        return "receipt " + keys.size();
    }

    List<String> keys() {
        return new ArrayList<>(keys);
    }

    void failNext(int times) {
        failures.set(times);
    }

    /** Stands for the part of the work that fails after the step. */
    void settle() {
        if (failures.getAndDecrement() > 0) {
            throw new IllegalStateException("the ledger is closed");
        }
    }

    void forget() {
        keys.clear();
        failures.set(0);
    }
}
