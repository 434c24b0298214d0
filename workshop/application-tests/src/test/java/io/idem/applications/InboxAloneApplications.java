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

    /** The words of the stop of applications that settle a message after their listener has returned. */
    private static final String LATER = "returned without having acknowledged";

    private static final Set<String> STOPS = Set.of("RabbitMQ ManualPool", "Kafka ManualPool");

    private InboxAloneApplications() {}

    static List<Application> all() {
        return Suite.onUsualStore().stream()
                .filter(application -> application.outcome() == Outcome.PROTECTED)
                .map(InboxAloneApplications::variant)
                .toList();
    }

    private static Application variant(Application application) {
        if (STOPS.contains(application.name())) {
            return application.onInboxAlone(Outcome.STOPPED, List.of(LATER));
        }
        String refusal = REFUSALS.get(application.name());
        return refusal == null
                ? application.onInboxAlone(Outcome.PROTECTED, List.of())
                : application.onInboxAlone(Outcome.REFUSED, List.of(refusal));
    }
}
