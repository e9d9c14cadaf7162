package io.iocluster.bench;

import io.iocluster.bench.queue.BenchQueues;
import io.iocluster.bench.queue.Load;

/** What a subject is told. */
record SubjectSetup(BenchQueues queues, int maxInFlight, Load load) {}
