package io.idem.http.webflux;

import io.idem.http.contract.SameAnswerContract;
import io.idem.http.contract.WireRequest;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;

/** On Netty. */
class ReactiveSameAnswerTest extends SameAnswerContract {

    ReactiveSameAnswerTest() {
        super(
                WebApplicationType.REACTIVE,
                ReactiveWirePages.class,
                "/length-[035]$|/flushed|/stream|/events|/raw/name-[69]$");
    }

    @Override
    protected Stream<WireRequest> requests() {
        return ReactiveWirePages.requests();
    }

    @Override
    protected Stream<WireRequest> malformed() {
        return ReactiveWirePages.malformed();
    }
}
