package io.idem.http.internal.servlet;

import io.idem.Outcome;
import io.idem.StoredResult;
import io.idem.http.Refusal;
import io.idem.http.StoredResponse;
import io.idem.http.internal.admission.Answers;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Answers requests that were not run. */
final class ServletNotRunAnswers {

    private final Answers answers;

    ServletNotRunAnswers(Answers answers) {
        this.answers = answers;
    }

    /** Whether a header of this name is told to clients by the filter alone. */
    boolean ours(String name) {
        return answers.ours(name);
    }

    void answer(Outcome.NotRun<?> outcome, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        ServletAnswerWriter.write(answer(outcome, request), response);
    }

    StoredResponse answer(Outcome.NotRun<?> outcome, HttpServletRequest request) {
        return answers.answer(outcome, IncomingServletRequest.of(request));
    }

    StoredResponse refuse(Refusal refusal, HttpServletRequest request) {
        return answers.refuse(refusal, IncomingServletRequest.of(request));
    }

    void replay(StoredResult result, HttpServletRequest request, HttpServletResponse response) throws IOException {
        ServletAnswerWriter.write(replay(result, request), response);
    }

    StoredResponse replay(StoredResult result, HttpServletRequest request) {
        return answers.replay(result, IncomingServletRequest.of(request));
    }

    void refuse(Refusal refusal, HttpServletRequest request, HttpServletResponse response) throws IOException {
        ServletAnswerWriter.write(refuse(refusal, request), response);
    }
}
