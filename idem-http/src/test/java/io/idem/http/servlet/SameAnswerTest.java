package io.idem.http.servlet;

import io.idem.http.contract.SameAnswerContract;
import io.idem.http.contract.WireRequest;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;

/** On Tomcat. */
class SameAnswerTest extends SameAnswerContract {

    SameAnswerTest() {
        super(
                WebApplicationType.SERVLET,
                WirePages.class,
                "/length-(writer-)?[035]$|/redirect-301-kept|/mvc/unwritable$|/raw/name-(7|14)$|/raw/error-after-write$");
    }

    @Override
    protected Stream<WireRequest> requests() {
        return WirePages.requests();
    }

    @Override
    protected Stream<WireRequest> malformed() {
        return WirePages.malformed();
    }
}
