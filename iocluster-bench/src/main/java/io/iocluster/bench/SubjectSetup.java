package io.iocluster.bench;

/**
 * What a subject is told.
 *
 * @param requests the topic to read
 * @param lingerMillis the naive loop's; the node follows its own settings
 */
record SubjectSetup(
        String bootstrapServers,
        String requests,
        String answers,
        String deadLetters,
        String group,
        int maxInFlight,
        int lingerMillis) {}
