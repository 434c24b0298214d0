package io.idem.consumer.kafka;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.springframework.kafka.listener.ContainerProperties.AckMode;

/** Acknowledgements after a number of records or a time. */
@Tag("extended")
class CountedAcknowledgementTest extends AcknowledgementContract {

    @Override
    Stream<AckMode> modes() {
        return Stream.of(AckMode.COUNT, AckMode.TIME, AckMode.COUNT_TIME);
    }
}
