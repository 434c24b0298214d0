package io.idem.applications;

import io.idem.applications.covering.GeneratedApplications;
import io.idem.applications.story.Application;
import java.util.List;
import java.util.stream.Stream;

/** All applications, hand-written and generated, and their variants on the inbox alone. */
final class Suite {

    private Suite() {}

    static List<Application> all() {
        return Stream.of(onUsualStore(), InboxAloneApplications.all())
                .flatMap(List::stream)
                .toList();
    }

    /** Returns the applications whose store is the usual one, Redis. */
    static List<Application> onUsualStore() {
        return Stream.of(
                        RabbitApplications.all(),
                        KafkaApplications.all(),
                        HttpApplications.all(),
                        GeneratedApplications.all())
                .flatMap(List::stream)
                .toList();
    }
}
