package io.idem.applications;

import io.idem.applications.story.Application;
import io.idem.applications.story.Outcome;
import java.util.List;
import java.util.Map;

/** The applications that are protected with the usual store, each with the inbox as its only store. */
final class InboxAloneApplications {

    /** The words of the refusal of applications whose work the inbox alone cannot run, by their names. */
    private static final Map<String, String> REFUSALS = Map.of();

    private InboxAloneApplications() {}

    static List<Application> all() {
        return Suite.onUsualStore().stream()
                .filter(application -> application.outcome() == Outcome.PROTECTED)
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
