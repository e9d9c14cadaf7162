package io.iocluster.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.testkit.target.ScriptedServer;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A target that reads only the heads of large requests. */
@Timeout(60)
class UnreadUploadTest extends ExecutorFixture {

    private static final int UPLOADS = 8;
    /** More than the kernel accepts. */
    private static final int BODY_BYTES = 16 << 20;

    private static final int BYTES_FOR_EACH_UPLOAD = 1 << 20;

    @Test
    void copiesSmallPartsOfABodyOnly() throws Exception {
        CountDownLatch heads = new CountDownLatch(UPLOADS);
        CountDownLatch testEnd = latch();
        ScriptedServer target = server(connection -> {
            connection.readHead();
            heads.countDown();
            testEnd.await();
        });
        TestExecutor executor = executor();
        TargetUrl url = new TargetUrl("http", "127.0.0.1", target.port(), "/");
        HttpRequest upload = new HttpRequest("POST", url, List.of(), new byte[BODY_BYTES]);

        List<CompletableFuture<HttpResult>> uploads =
                Stream.generate(() -> executor.call(upload)).limit(UPLOADS).toList();
        assertThat(heads.await(1, TimeUnit.MINUTES)).isTrue();

        long copied = executor.onLoop(PooledByteBufAllocator.DEFAULT::pinnedDirectMemory);
        assertThat(copied).isLessThan(UPLOADS * BYTES_FOR_EACH_UPLOAD);
        assertThat(uploads).noneMatch(CompletableFuture::isDone);
    }
}
