package io.iocluster.door.spool;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;

/**
 * The records of the spool, in an SQLite database with a write-ahead log. A write is durable when it returns. Confined to one thread at a
 * time.
 */
final class SpoolStore implements AutoCloseable {

    private final Path database;
    private final Recreation recreation;
    private Opened opened;

    /** An open database. */
    record Opened(Connection connection, RecordSeal seal) {}

    /** Replaces the database. */
    @FunctionalInterface
    interface Recreation {

        /**
         * Deletes the database, and opens a new one.
         *
         * @throws IOException if that is not possible now
         */
        Opened recreate() throws IOException;
    }

    /** A protected record to store. */
    record NewRecord(long position, byte[] record) {}

    /** Receives records. */
    @FunctionalInterface
    interface RecordVisitor {
        void visit(long position, byte[] record) throws IOException;
    }

    /** Uses an open database, which {@link #close} closes. */
    SpoolStore(Path database, Opened opened, Recreation recreation) {
        this.database = database;
        this.opened = opened;
        this.recreation = recreation;
    }

    private Connection connection() {
        return opened.connection();
    }

    /**
     * Reads all records, oldest first.
     *
     * @throws SpoolException if one is damaged, or the visitor refuses it
     */
    void forEach(RecordVisitor visitor) throws SpoolException {
        try (Statement statement = connection().createStatement();
                ResultSet rows = statement.executeQuery("SELECT position, record FROM calls ORDER BY position")) {
            while (rows.next()) {
                long position = rows.getLong(1);
                visit(visitor, position, rows.getBytes(2));
            }
        } catch (SQLException failed) {
            throw SpoolDatabase.failure(database, failed);
        }
    }

    private void visit(RecordVisitor visitor, long position, byte[] sealed) throws SpoolException {
        try {
            visitor.visit(position, opened.seal().open(position, sealed));
        } catch (IOException changed) {
            throw damaged(position, changed);
        }
    }

    /** Protects a record. */
    NewRecord seal(long position, byte[] record) {
        return new NewRecord(position, opened.seal().seal(position, record));
    }

    /**
     * Reads a record.
     *
     * @throws SpoolException if it is missing or damaged, so that another attempt fails too
     * @throws IOException if it cannot be read now
     */
    byte[] read(long position) throws IOException {
        try (PreparedStatement select = connection().prepareStatement("SELECT record FROM calls WHERE position = ?")) {
            select.setLong(1, position);
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) {
                    throw SpoolDatabase.damaged(database, "record " + position + " is missing", null);
                }
                return open(position, row.getBytes(1));
            }
        } catch (SQLException failed) {
            throw SpoolDatabase.isDamage(failed)
                    ? SpoolDatabase.damaged(database, failed.getMessage(), failed)
                    : new IOException(failed.getMessage(), failed);
        }
    }

    private byte[] open(long position, byte[] sealed) throws SpoolException {
        try {
            return opened.seal().open(position, sealed);
        } catch (IOException changed) {
            throw damaged(position, changed);
        }
    }

    private SpoolException damaged(long position, IOException changed) {
        return SpoolDatabase.damaged(database, "record " + position + ": " + changed.getMessage(), changed);
    }

    /**
     * Removes and adds records together, durably.
     *
     * @throws UnknownWriteException if it failed, but the database may have the changes after a crash
     * @throws IOException if that is not possible now; then nothing has changed
     */
    void write(Collection<SpoolEntry> removed, List<NewRecord> added) throws IOException {
        // Prepared for each write, because the driver cannot use a statement again after it has failed.
        try (Statement statement = connection().createStatement();
                PreparedStatement delete = connection().prepareStatement("DELETE FROM calls WHERE position = ?");
                PreparedStatement insert =
                        connection().prepareStatement("INSERT INTO calls (position, record) VALUES (?, ?)")) {
            statement.executeUpdate("BEGIN IMMEDIATE");
            int change = 0;
            for (SpoolEntry entry : removed) {
                delete.setLong(1, entry.position);
                change -= delete.executeUpdate();
            }
            for (NewRecord each : added) {
                insert.setLong(1, each.position());
                insert.setBytes(2, each.record());
                change += insert.executeUpdate();
            }
            statement.executeUpdate("UPDATE spool SET calls = calls + " + change);
            commit(statement);
        } catch (SQLException failed) {
            rollBack();
            throw new IOException(failed.getMessage(), failed);
        }
    }

    /**
     * Adds a record of this size and removes it in one transaction, which proves that there is room for it.
     *
     * @throws IOException if there is no room, or the database cannot be written
     */
    void tryRoom(long bytes) throws IOException {
        try (Statement statement = connection().createStatement()) {
            statement.executeUpdate("BEGIN IMMEDIATE");
            statement.executeUpdate("INSERT INTO calls (position, record) VALUES (0, zeroblob(" + bytes + "))");
            statement.executeUpdate("DELETE FROM calls WHERE position = 0");
            statement.executeUpdate("UPDATE spool SET calls = calls");
            commit(statement);
        } catch (SQLException failed) {
            rollBack();
            throw new IOException(failed.getMessage(), failed);
        }
    }

    /** SQLite writes the changes in this step, and last the mark that makes them valid. If the disk is full, the mark is missing. */
    private void commit(Statement statement) throws SQLException, UnknownWriteException {
        try {
            statement.executeUpdate("COMMIT");
        } catch (SQLException failed) {
            if (SpoolDatabase.isFull(failed)) {
                throw failed;
            }
            rollBack();
            throw new UnknownWriteException(failed);
        }
    }

    /** Changes may be in the database after a crash, although their write failed. */
    static final class UnknownWriteException extends IOException {

        private static final long serialVersionUID = 1L;

        UnknownWriteException(SQLException cause) {
            super(cause.getMessage(), cause);
        }
    }

    /**
     * Replaces the database with an empty one, which also frees its space on the disk. Unlike the removal of records, this needs no free
     * space first.
     *
     * @throws IOException if that is not possible now; then nothing can be read or written, but this may be called again
     */
    void recreate() throws IOException {
        close();
        opened = recreation.recreate();
    }

    private void rollBack() {
        try (Statement statement = connection().createStatement()) {
            statement.executeUpdate("ROLLBACK");
        } catch (SQLException alreadyRolledBack) {
            // SQLite has ended the transaction itself.
        }
    }

    @Override
    public void close() {
        SpoolDatabase.close(connection());
    }
}
