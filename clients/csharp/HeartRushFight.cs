// A whole fight through the WebSocket of `heartrush serve` (docs/kits/csharp.md), for Unity, .NET and Mono, without a
// package. The server knows the rules, plays the enemies and says what happens; you show it, and choose.
//
//   heartrush serve                      in one terminal; in another:
//   dotnet new console && dotnet run     with this file in place of Program.cs; or with Mono:
//   mcs -r:System.Runtime.Serialization HeartRushFight.cs && mono HeartRushFight.exe [--auto] [SERVER]
//
// In Unity, put this file into Assets; a script calls `new HeartRushFight { Choose = ..., Tell = ... }.Play(...)`.

using System;
using System.IO;
using System.Linq;
using System.Net.WebSockets;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
#if !UNITY_5_3_OR_NEWER
using System.Runtime.Serialization.Json;
#endif

public sealed class HeartRushFight
{
    // Messages, with the fields that this program uses; docs/hosting.md has all.
    [Serializable] public class Request
    { public string type, id, fight, token, seat, choice; public int window, since; }
    [Serializable] public class Answer { public string type, id, fight, token, code, message; }
    [Serializable] public class State
    {
        public string standing;    // everybody's condition in one line
        public int window, events; // how many windows were played, and how many events there are
        public bool over;
        public string[] winners;   // teams
        public Mine mine;
    }
    [Serializable] public class Mine { public Offer[] legal; } // empty if you have no choice now
    [Serializable] public class Offer { public string name, words, target; } // for programs, for people, at whom
    [Serializable] public class EventList { public Told[] events; public int next; }
    [Serializable] public class Told { public string[] lines; }

    public Func<State, Task<string>> Choose; // your interface or your brain: the name of one of state.mine.legal
    public Action<string> Tell = _ => { };   // shows a line of what happens, in the rulebook's words
    public CancellationToken Stop = CancellationToken.None;

    const int FirstWait = 100, LongestWait = 5000, MostTries = 60; // milliseconds before another try: five minutes
    static readonly string[] Past = { "chosen", "late", "over" }; // a choice was taken already, or its time is over

    ClientWebSocket socket;
    string fight, owner, token, newest; // newest: a state that came while an answer was awaited
    int number, told, tries;
    int chosen = -1; // the window of `choice`, which is sent again if the connection was lost
    string choice;

    // Play a fight to its end: `game` is the message that begins it, `seat` is yours. The last state names the winners.
    // A connection that is lost is opened again; one that cannot be opened at all ends in an exception.
    public async Task<State> Play(string server, string game, string seat)
    {
        var address = new UriBuilder(server) { Path = "/v1/host" };
        address.Scheme = address.Scheme.Replace("http", "ws");
        for (var met = false; ; await Task.Delay(Math.Min(LongestWait, FirstWait << Math.Min(tries++, 10)), Stop))
        {
            try
            {
                using (socket = new ClientWebSocket())
                {
                    await socket.ConnectAsync(address.Uri, Stop);
                    met = true;
                    if (token == null) await Begin(game, seat);
                    return await Follow();
                }
            }
            catch (Exception) when (met && tries < MostTries && socket.State != WebSocketState.Open)
            {
                Stop.ThrowIfCancellationRequested();
                if (tries == 0) Tell("The connection is lost; trying again.");
            }
        }
    }

    async Task Begin(string game, string seat)
    {
        if (fight != null) await Ask(new Request { type = "close", token = owner }, "no_fight"); // its seat was lost
        await Send(game);
        var made = Read<Answer>(await Receive());
        fight = made.fight;
        owner = made.token;
        token = Read<Answer>(await Ask(new Request { type = "join", seat = seat })).token;
    }

    async Task<State> Follow()
    {
        var text = await Ask(new Request { type = "watch" });
        newest = null;
        for (var sent = -1; ; text = newest ?? await Receive(), newest = null)
        {
            tries = 0;
            if (Read<Answer>(text).type == "closed") throw new InvalidOperationException("The fight was closed.");
            var state = Read<State>(text);
            while (told < state.events)
            {
                var news = Read<EventList>(await Ask(new Request { type = "events", since = told }));
                foreach (var line in news.events.SelectMany(one => one.lines)) Tell(line);
                told = news.next;
            }
            if (state.over) return state;
            if (!(state.mine?.legal?.Length > 0) || state.window == sent) continue; // another seat is asked
            if (state.window != chosen) choice = await Choose(state);
            sent = chosen = state.window;
            await Ask(new Request { type = "choose", window = chosen, choice = choice }, Past);
        }
    }

    // The answer to a request. States of the fight come at any time; the newest is kept.
    async Task<string> Ask(Request request, params string[] allowed)
    {
        request.id = (++number).ToString();
        request.fight = fight;
        request.token = request.token ?? token;
        await Send(Write(request));
        while (true)
        {
            var text = await Receive(allowed);
            if (Read<Answer>(text).id == request.id) return text;
            newest = text;
        }
    }

    Task Send(string text) =>
        socket.SendAsync(new ArraySegment<byte>(Encoding.UTF8.GetBytes(text)), WebSocketMessageType.Text, true, Stop);

    async Task<string> Receive(params string[] allowed)
    {
        var whole = new MemoryStream();
        var part = new ArraySegment<byte>(new byte[16384]);
        for (var more = true; more;)
        {
            var got = await socket.ReceiveAsync(part, Stop);
            if (got.MessageType == WebSocketMessageType.Close) throw new IOException("The server has left.");
            whole.Write(part.Array, 0, got.Count);
            more = !got.EndOfMessage;
        }
        var text = Encoding.UTF8.GetString(whole.ToArray());
        var answer = Read<Answer>(text);
        if (answer.type != "error" || allowed.Contains(answer.code)) return text;
        throw new InvalidOperationException(answer.message);
    }

#if UNITY_5_3_OR_NEWER
    static T Read<T>(string text) => UnityEngine.JsonUtility.FromJson<T>(text);
    static string Write(Request request) => UnityEngine.JsonUtility.ToJson(request);
#else
    sealed class SerializableAttribute : Attribute { } // .NET's own would make every field required

    static T Read<T>(string text) =>
        (T)new DataContractJsonSerializer(typeof(T)).ReadObject(new MemoryStream(Encoding.UTF8.GetBytes(text)));

    static string Write(Request request)
    {
        var text = new MemoryStream();
        new DataContractJsonSerializer(typeof(Request)).WriteObject(text, request);
        return Encoding.UTF8.GetString(text.ToArray());
    }

    public static int Main(string[] words)
    {
        const string game = "{'type': 'new', 'game': {'scenario': 'duel'}, 'agents': {'duelist_0': 'duelist'}}";
        var server = words.FirstOrDefault(word => word != "--auto") ?? "http://127.0.0.1:8765";
        Func<Offer[], string> pick = legal => words.Contains("--auto") ? legal[0].name : Asked(legal);
        Func<State, Task<string>> choose = state => Task.FromResult(pick(state.mine.legal));
        var play = new HeartRushFight { Tell = Console.WriteLine, Choose = choose };
        try { return play.Play(server, game.Replace('\'', '"'), "knight_0").Result.over ? 0 : 1; }
        catch (AggregateException problem) { Console.Error.WriteLine(problem.GetBaseException().Message); return 1; }
    }

    static string Asked(Offer[] legal)
    {
        for (var place = 1; place <= legal.Length; place++) Console.WriteLine($"  {place}  {legal[place - 1].words}");
        while (true)
        {
            var typed = Console.ReadLine() ?? throw new EndOfStreamException("There is nothing left to read.");
            if (int.TryParse(typed, out var place) && place >= 1 && place <= legal.Length) return legal[place - 1].name;
        }
    }
#endif
}
