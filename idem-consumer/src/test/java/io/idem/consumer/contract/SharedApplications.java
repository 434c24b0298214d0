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
 * Keeps the stopped applications of a test class for its next tests with the same settings, because the start of a new application
 * takes most of a test's time. Applications of a failed test are not kept. The class registers this extension in a static field; the
 * applications end with its last test.
 *
 * @param <A> the applications
 */
public final class SharedApplications<A> implements AfterEachCallback, AfterAllCallback {

    private final Consumer<A> end;
    private final Map<Object, A> idle = new HashMap<>();
    private final Map<A, Object> stopped = new LinkedHashMap<>();

    /**
     * Begins without applications.
     *
     * @param end ends an application for good
     */
    public SharedApplications(Consumer<A> end) {
        this.end = end;
    }

    /** Returns the place of applications with these settings. */
    public Place<A> place(Object settings) {
        return new Place<>(this, settings);
    }

    /**
     * The place where a test takes the application of an earlier one, and leaves it again.
     *
     * @param <A> the applications
     * @param tests the applications of the class
     * @param settings what distinguishes the application from others
     */
    public record Place<A>(SharedApplications<A> tests, Object settings) {

        /** Takes the application that an earlier test has left, if there is one. */
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
