package io.iocluster.door.grpc.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.iocluster.door.http.ProblemException;
import io.iocluster.v1.Branch;
import io.iocluster.v1.Envelope;
import io.iocluster.v1.Header;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class MessageCheckTest {

    private static final int MAX_ENTRIES = 1_000;

    @Test
    void aSmallMessageWithVeryManyBranchesIsRefusedWithoutTheMemoryForThem() throws IOException {
        byte[] message = Envelope.newBuilder()
                .addAllAll(Collections.nCopies(600_000, Branch.getDefaultInstance()))
                .build()
                .toByteArray();
        // Loads the classes.
        refuse(message);

        long decoded = allocated(() -> Envelope.parseFrom(message));
        long checked = allocated(() -> refuse(message));

        assertThat(message).hasSizeLessThan(2 << 20);
        assertThat(decoded).isGreaterThan(20L * message.length);
        assertThat(checked).isLessThan(64 << 10);
    }

    private static void refuse(byte[] message) {
        assertThatThrownBy(() -> MessageCheck.check(message, Envelope.getDescriptor(), MAX_ENTRIES))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("more than 1000 entries");
    }

    @Test
    void theEntriesOfAllBranchesCountTogether() throws IOException {
        Branch branch = Branch.newBuilder()
                .addAllHeaders(Collections.nCopies(99, Header.getDefaultInstance()))
                .build();
        Envelope full =
                Envelope.newBuilder().addAllAll(Collections.nCopies(10, branch)).build();

        MessageCheck.check(full.toByteArray(), Envelope.getDescriptor(), MAX_ENTRIES);
        refuse(full.toBuilder().addHeaders(Header.getDefaultInstance()).build().toByteArray());
    }

    @Test
    void aTruncatedMessageIsMalformed() {
        byte[] truncated = {(byte) 0x8A, 0x01, 0x7F};

        assertThatThrownBy(() -> MessageCheck.check(truncated, Envelope.getDescriptor(), MAX_ENTRIES))
                .isInstanceOf(IOException.class);
    }

    private interface Step {
        void run() throws IOException;
    }

    /** Returns the bytes that a step allocates on this thread. */
    private static long allocated(Step step) throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        step.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
