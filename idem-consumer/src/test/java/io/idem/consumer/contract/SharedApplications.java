package io.idem.consumer.contract;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The stopped applications of a test class, which its next tests with the same settings start again, because a new application's start
 * takes most of a test's time. A test that fails leaves none of its applications to the next one. To be registered by the class, in a
 * static field; the last test's end ends them all.
 *
 * @param <A> the applications
 */
public final class SharedApplications<A> implements AfterEachCallback, AfterAllCallback {

    private final Consumer<A> end;
    private final Map<Object, A> idle = new HashMap<>();
    private final Map<A, Object> stopped = new LinkedHashMap<>();

    /** None yet; {@code end} ends an application for good. */
    public SharedApplications(Consumer<A> end) {
        this.end = end;
    }

    /** Where a test gets an application with these settings that an earlier one has left, and leaves it again. */
    public Place<A> place(Object settings) {
        return new Place<>(this, settings);
    }

    /**
     * The place of an application among those that tests share.
     *
     * @param <A> the applications
     * @param tests those of the class
     * @param settings what distinguishes the application from others
     */
    public record Place<A>(SharedApplications<A> tests, Object settings) {

        /** An application that an earlier test has left; nobody else gets it. */
        public Optional<A> take() {
            return Optional.ofNullable(tests.idle.remove(settings));
        }

        /** Leaves a stopped application, of which nothing runs any more, to the tests after this one. */
        public void leave(A application) {
            tests.stopped.put(application, settings);
        }
    }

    @Override
    public void afterEach(ExtensionContext test) {
        boolean failed = test.getExecutionException().isPresent();
        stopped.forEach((application, settings) -> {
            if (failed || idle.putIfAbsent(settings, application) != null) {
                end.accept(application);
            }
        });
        stopped.clear();
    }

    @Override
    public void afterAll(ExtensionContext testClass) {
        idle.values().forEach(end);
        idle.clear();
    }
}
