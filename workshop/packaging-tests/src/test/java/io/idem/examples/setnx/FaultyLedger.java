package io.idem.examples.setnx;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Fails at the first attempt to book {@code p-fails}, and stays in that of {@code p-slow} until it is told to go on. */
class FaultyLedger implements Ledger {

    private final List<String> begun = new CopyOnWriteArrayList<>();
    private final List<String> booked = new CopyOnWriteArrayList<>();
    private final CountDownLatch goOn = new CountDownLatch(1);

    @Override
    public void book(Payment payment) {
        boolean first = !begun.contains(payment.id());
        begun.add(payment.id());
        if (first && payment.id().equals("p-fails")) {
            throw new IllegalStateException("the first attempt fails");
        }
        if (first && payment.id().equals("p-slow")) {
            waitUntilTold();
        }
        booked.add(payment.id());
    }

    void goOn() {
        goOn.countDown();
    }

    List<String> begun() {
        return begun;
    }

    List<String> booked() {
        return booked;
    }

    private void waitUntilTold() {
        try {
            goOn.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
