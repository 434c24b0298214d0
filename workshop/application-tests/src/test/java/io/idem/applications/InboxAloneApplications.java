package io.idem.applications;

import io.idem.applications.story.Application;
import io.idem.applications.story.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The applications that are protected with the usual store, each with the inbox as its only store. */
final class InboxAloneApplications {

    private static final String ASYNCHRONOUS = "ends its work after its return";
    private static final String BATCHES = "gets batches";

    /** The words of the refusal of applications whose work the inbox alone cannot run, by their names. */
    private static final Map<String, String> REFUSALS = Map.of(
            "RabbitMQ FuturePayments", ASYNCHRONOUS,
            "RabbitMQ ReactivePayments", ASYNCHRONOUS,
            "RabbitMQ TimedFuture", ASYNCHRONOUS,
            "RabbitMQ BatchedPayments", BATCHES,
            "Kafka FuturePayments", ASYNCHRONOUS,
            "Kafka ReactivePayments", ASYNCHRONOUS,
            "Kafka TimedFuture", ASYNCHRONOUS,
            "Kafka BatchedPayments", BATCHES,
            "Kafka ContainerTransactions", "2 beans of type PlatformTransactionManager");

    /**
     * Applications that settle a message after their listener has returned. It stops, and its transaction is rolled back;
     * their effects are in Redis and stay, so that the story of a stop does not fit.
     */
    private static final Set<String> LEFT_OUT = Set.of("RabbitMQ ManualPool", "Kafka ManualPool");

    private InboxAloneApplications() {}

    static List<Application> all() {
        return Suite.onUsualStore().stream()
                .filter(application -> application.outcome() == Outcome.PROTECTED)
                .filter(application -> !LEFT_OUT.contains(application.name()))
                .map(InboxAloneApplications::variant)
                .toList();
    }

    private static Application variant(Application application) {
        String refusal = REFUSALS.get(application.name());
        return refusal == null
                ? application.onInboxAlone(Outcome.PROTECTED, List.of())
                : application.onInboxAlone(Outcome.REFUSED, List.of(refusal));
    }
}
