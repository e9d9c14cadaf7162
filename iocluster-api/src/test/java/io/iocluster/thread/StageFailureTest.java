package io.iocluster.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class StageFailureTest {

    @Test
    void removesOnlyTheWrapperOfAStage() {
        IOException failure = new IOException("refused", new IllegalStateException("cause"));
        CompletionException withoutCause = new CompletionException("no cause", null);

        assertThat(StageFailure.unwrap(new CompletionException(failure))).isSameAs(failure);
        assertThat(StageFailure.unwrap(failure)).isSameAs(failure);
        assertThat(StageFailure.unwrap(withoutCause)).isSameAs(withoutCause);
        assertThat(StageFailure.unwrap(null)).isNull();
    }
}
