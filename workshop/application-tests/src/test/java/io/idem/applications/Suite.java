package io.idem.applications;

import io.idem.applications.covering.GeneratedApplications;
import io.idem.applications.story.Application;
import java.util.List;
import java.util.stream.Stream;

/** All applications, hand-written and generated. */
final class Suite {

    private Suite() {}

    static List<Application> all() {
        return Stream.of(RabbitApplications.all(), KafkaApplications.all(), GeneratedApplications.all())
                .flatMap(List::stream)
                .toList();
    }
}
